spotify)
    name="Spotify"
    type="dmg"
    if [[ $(arch) == "arm64" ]]; then
        downloadURL="https://download.scdn.co/SpotifyARM64.dmg"
    else
        downloadURL="https://download.scdn.co/Spotify.dmg"
    fi
    expectedTeamID="2FNC3A47ZF"
    ;;
