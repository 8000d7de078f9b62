handbrake)
    name="HandBrake"
    type="dmg"
    downloadURL=$(curl -fsL "https://example.com/handbrake/latest")
    expectedTeamID="5X9DE89KYV"
    ;;
