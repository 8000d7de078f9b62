vlc)
    name="VLC"
    type="dmg"
    release="3.0.23"
    downloadURL="https://get.videolan.org/vlc/${release}/macosx/vlc-${release}-universal.dmg"
    appNewVersion="${release}"
    expectedTeamID="75GAHG3SZQ"
    ;;
