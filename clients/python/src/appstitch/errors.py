"""The one way in which a request can fail."""


class ResponseError(Exception):
    """A request without a usable answer.

    `status` is None if no server answered; `detail` is the server's own words where it gave some.
    """

    def __init__(self, url: str, detail: str, status: int | None = None) -> None:
        self.url = url
        self.detail = detail
        self.status = status
        super().__init__(url, detail, status)

    def __str__(self) -> str:
        start = "" if self.status is None else f"{self.status} from "
        return f"{start}{self.url}: {self.detail}"
