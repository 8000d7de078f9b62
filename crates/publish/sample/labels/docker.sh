docker)
    name="Docker"
    type="dmg"
    downloadURL=$(curl -fsL "https://example.com/docker/latest")
    expectedTeamID="9BNSXJN65R"
    blockingProcesses=( "Docker Desktop" )
    ;;
