slack)
    name="Slack"
    type="pkg"
    downloadURL="https://slack.com/api/desktop.latestRelease?redirect=1&variant=pkg&arch=universal"
    appNewVersion="4.51.191"
    expectedTeamID="BQR82RBBHL"
    ;;
