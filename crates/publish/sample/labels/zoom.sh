zoom)
    name="zoom.us"
    type="pkg"
    downloadURL="https://zoom.us/client/latest/ZoomInstallerIT.pkg"
    appNewVersion="7.1.0.80000"
    expectedTeamID="BJ4HAAB9B3"
    blockingProcesses=( "zoom.us" )
    ;;
