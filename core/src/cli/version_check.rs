//! `ackguard version-check`: may this client talk to that server?

use clap::ArgMatches;

use super::console::clean;
use super::{Answer, FINE, Failure, Outcome, REFUSED, args};
use crate::handshake::ProtocolVersion;

pub(super) fn run(matches: &ArgMatches) -> Outcome {
    let mut versions = Vec::new();
    for (id, side) in [("client", "client"), ("server", "server")] {
        let text = args::text(matches, id);
        match ProtocolVersion::parse(&text) {
            Ok(version) => versions.push(version),
            Err(error) => {
                let line = format!("the {side}'s version \"{}\" is refused: {error}\n", clean(&text, 80));
                return Ok(Answer::new(REFUSED, line));
            }
        }
    }
    let [client, server] = versions.as_slice() else {
        return Err(Failure::new("two versions are needed"));
    };
    let compatible = client.is_compatible_with(*server);
    let verdict = if compatible { "compatible" } else { "not compatible" };
    let line = format!("{verdict}: client {client}, server {server}: {}\n", why(*client, *server));
    Ok(Answer::new(if compatible { FINE } else { REFUSED }, line))
}

fn why(client: ProtocolVersion, server: ProtocolVersion) -> String {
    if client.major != server.major {
        return format!("the major versions differ ({} and {})", client.major, server.major);
    }
    if client.major == 0 {
        if client.minor == server.minor {
            return "below 1.0 the minor versions have to be equal, and are".to_owned();
        }
        return format!(
            "below 1.0 the minor versions have to be equal ({} and {})",
            client.minor, server.minor
        );
    }
    if client.minor <= server.minor {
        return "the major versions are equal and the client's minor is not above the server's".to_owned();
    }
    format!("the client's minor version ({}) is above the server's ({})", client.minor, server.minor)
}
