microsoftedge)
    name="Microsoft Edge"
    type="pkg"
    downloadURL="https://go.microsoft.com/fwlink/?linkid=2093504"
    appNewVersion="151.0.4129.101"
    expectedTeamID="UBF8T346G9"
    ;;
