googlechromepkg)
    name="Google Chrome"
    type="pkg"
    downloadURL="https://dl.google.com/dl/chrome/mac/universal/stable/gcem/GoogleChrome.pkg"
    appNewVersion="151.0.7922.174"
    expectedTeamID="EQHXZ8M8AV"
    ;;
