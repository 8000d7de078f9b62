notion)
    name="Notion"
    type="dmg"
    downloadURL="https://www.notion.so/desktop/mac/download"
    appNewVersion="2026-08-14"
    expectedTeamID="LBQJ96FQ8D"
    ;;
