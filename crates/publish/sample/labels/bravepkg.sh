bravepkg)
    name="Brave Browser"
    type="pkg"
    downloadURL="https://referrals.brave.com/latest/Brave-Browser.pkg"
    expectedTeamID="KL8N8XSYF4"
    ;;
