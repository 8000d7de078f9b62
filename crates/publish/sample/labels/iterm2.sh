iterm2)
    name="iTerm"
    type="zip"
    downloadURL="https://iterm2.com/downloads/stable/latest"
    appNewVersion="v3.6.11"
    expectedTeamID="H7V7XYVQ7D"
    blockingProcesses=( "iTerm" "iTerm2" )
    ;;
