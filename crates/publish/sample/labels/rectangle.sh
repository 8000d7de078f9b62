rectangle)
    name="Rectangle"
    type="dmg"
    downloadURL=$(curl -fsL "https://example.com/rectangle/latest")
    appNewVersion="v0.99.0"
    expectedTeamID="XSYZ3E4B7D"
    ;;
