# A Homebrew formula, which builds appstitch from the source archive of a release. `cargo xtask dist` writes a copy to
# target/dist with the URL and the hash of that archive. Homebrew installs formulas from taps:
#   brew tap-new "$USER/local"
#   cp target/dist/appstitch.rb "$(brew --repository "$USER/local")/Formula/"
#   brew install "$USER/local/appstitch"
#   brew services start appstitch
class Appstitch < Formula
  desc "Catalog of macOS apps from Installomator, Homebrew, AutoPkg and Jamf"
  url "@URL@"
  sha256 "@SHA256@"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "rust" => :build

  def install
    system "cargo", "install", *std_cargo_args(path: "crates/cli")
    generate_completions_from_executable(bin/"appstitch", "completions")
    (man1/"appstitch.1").write Utils.safe_popen_read(bin/"appstitch", "man")
    pkgshare.install "deploy"
  end

  def post_install
    (var/"appstitch").mkpath
  end

  service do
    run [opt_bin/"appstitch", "serve", "--no-sample"]
    environment_variables APPSTITCH_STORE:         "sqlite:#{var}/appstitch/appstitch.db",
                          APPSTITCH_REFRESH_EVERY: "6h"
    working_dir var/"appstitch"
    keep_alive successful_exit: false
    log_path var/"log/appstitch.log"
    error_log_path var/"log/appstitch.log"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/appstitch --version")
    assert_equal "1.9 is older than 1.10\n", shell_output("#{bin}/appstitch compare 1.9 1.10")
  end
end
