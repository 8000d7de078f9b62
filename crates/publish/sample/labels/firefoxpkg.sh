firefoxpkg)
    name="Firefox"
    type="pkg"
    downloadURL="https://download.mozilla.org/?product=firefox-pkg-latest-ssl&os=osx&lang=en-US"
    appNewVersion="153.0.3"
    expectedTeamID="43AQ936H96"
    blockingProcesses=( "firefox" )
    ;;
