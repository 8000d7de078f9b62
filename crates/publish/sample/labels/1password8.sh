1password8)
    name="1Password"
    type="pkg"
    packageID="com.1password.1password"
    downloadURL="https://downloads.1password.com/mac/1Password.pkg"
    appNewVersion="8.12.33"
    expectedTeamID="2BUA8C4S2C"
    ;;
