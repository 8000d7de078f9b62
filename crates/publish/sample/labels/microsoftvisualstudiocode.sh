microsoftvisualstudiocode)
    name="Visual Studio Code"
    type="zip"
    downloadURL="https://update.code.visualstudio.com/latest/darwin-universal/stable"
    appNewVersion="1.135.0"
    expectedTeamID="UBF8T346G9"
    appName="Visual Studio Code.app"
    blockingProcesses=( "Code" )
    ;;
