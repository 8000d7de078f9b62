"""The error type of the clients."""

import re

_CREDENTIALS = re.compile(r"//[^/?#\\]*@")


class ResponseError(Exception):
    """A request without a usable response.

    `status` is None if the server did not respond. `detail` is the `detail` of the server's error
    body, or a description of the problem. `url` has no user name and password.
    """

    def __init__(self, url: str, detail: str, status: int | None = None) -> None:
        self.url = _CREDENTIALS.sub("//", url, count=1)
        self.detail = detail
        self.status = status
        super().__init__(self.url, detail, status)

    def __str__(self) -> str:
        start = "" if self.status is None else f"{self.status} from "
        return f"{start}{self.url}: {self.detail}"
