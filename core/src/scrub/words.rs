//! What the words of a key say: whether a secret lies under it.
//!
//! A key is split into words, and words are compared, never parts of words: `token` is one, `tokenizer` is
//! not. The last word says what the key is about (`token_type` is a type), and a word that has an ordinary
//! meaning (`code`, `state`, `key`, `session`) needs a companion or has to stand alone.

use super::Category;
use crate::table::{Table, table};

macro_rules! lexicon {
    ($groups:expr) => {
        Lexicon { groups: $groups, table: table!(places($groups)) }
    };
}

/// What is known of a word.
pub(super) type Flags = u32;

/// A secret wherever it is the head: `token`, `cookie`, `jwt`.
pub(super) const ACCESS: Flags = 1;
/// The same for passwords and one-time codes.
pub(super) const USER: Flags = 1 << 1;
/// The same for what identifies a client.
pub(super) const CLIENT_SECRET: Flags = 1 << 2;
/// The same for what an OAuth flow hands around.
pub(super) const OAUTH: Flags = 1 << 3;
/// Has an ordinary meaning too: in prose it takes more than the word to make a secret.
pub(super) const ORDINARY: Flags = 1 << 4;
pub(super) const CODE: Flags = 1 << 5;
pub(super) const STATE: Flags = 1 << 6;
pub(super) const KEY: Flags = 1 << 7;
/// Makes a `code` or a `state` a secret: `device`, `verification`.
pub(super) const MAKES_CODE: Flags = 1 << 8;
/// Makes a `key` a secret: `api`, `private`.
pub(super) const MAKES_KEY: Flags = 1 << 9;
pub(super) const CLIENT: Flags = 1 << 10;
pub(super) const ID: Flags = 1 << 11;
pub(super) const ANSWER: Flags = 1 << 12;
/// As the last word it says that the key is about a secret and holds none: `type`, `count`.
pub(super) const ABOUT: Flags = 1 << 13;
/// As the first word it makes the key a yes or no: `has`, `requires`.
pub(super) const YES_NO: Flags = 1 << 14;
/// Before `tokens` it makes them units to be counted.
pub(super) const COUNTS: Flags = 1 << 15;
pub(super) const PLURAL_TOKENS: Flags = 1 << 16;
/// Makes a ticket, a signature, a session or a pin an ordinary one: `support`, `function`.
pub(super) const HARMLESS: Flags = 1 << 17;
/// Says nothing about the word that follows: `the`, `your`, `new`.
pub(super) const SMALL: Flags = 1 << 18;
/// A value that may run over several words: a passphrase, an answer.
pub(super) const PHRASE: Flags = 1 << 19;
/// One that is digits often enough that bare digits after it are one.
pub(super) const DIGITS: Flags = 1 << 20;
/// The name of a header whose value goes on to the end of the line.
pub(super) const HEADER: Flags = 1 << 21;
pub(super) const SECURITY: Flags = 1 << 22;
pub(super) const QUESTION: Flags = 1 << 23;

/// A scheme of the Authorization header, or another word after which a credential may stand without a label.
pub(super) const SCHEME: Flags = 1 << 24;

/// Before `code` or `state` it says whose: an ordinary thing's.
pub(super) const OWNS: Flags = 1 << 25;
/// Not a word's own: another word that says nothing stands before, so that only what looks like a value is one.
pub(super) const DISTANT: Flags = 1 << 26;

/// A maiden name is what banks ask for.
const MAIDEN: Flags = 1 << 27;
/// Makes a `key` the client's own.
const PRIVATE: Flags = 1 << 28;

/// A word that may begin a label.
pub(super) const LABEL: Flags =
    ACCESS | USER | CLIENT_SECRET | OAUTH | CODE | STATE | KEY | CLIENT | ANSWER | SECURITY;
/// A word that may end a label of several words: "client id".
pub(super) const HEAD: Flags = ACCESS | USER | CLIENT_SECRET | OAUTH | KEY | ID | CODE | ANSWER | QUESTION;

/// What lies under a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Label {
    pub(super) category: Category,
    /// The flags of the word that decided.
    pub(super) flags: Flags,
    /// A yes or no about a secret: booleans under it tell nothing.
    pub(super) yes_no: bool,
}

impl Label {
    pub(super) const fn new(category: Category, flags: Flags) -> Self {
        Self { category, flags, yes_no: false }
    }

    pub(super) const fn is(&self, flags: Flags) -> bool {
        self.flags & flags != 0
    }
}

/// The longest word that is looked up: longer than any that is known.
const LONGEST: usize = 24;
/// How many words of a key are looked at; of a longer one the last.
const MOST: usize = 12;

/// The flags of a word in any letter case, digits at its end left out.
pub(super) fn flags(word: &[u8]) -> Flags {
    let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let word = word.get(..word.len() - digits).unwrap_or_default();
    let known = exact(word);
    if known != 0 {
        return known;
    }
    telling(word).map_or(0, |(_, flags)| flags)
}

/// Every known word once, in groups of equal flags.
const GROUPS: &[(Flags, &str)] = &[
    (USER | PHRASE | ORDINARY | MAIDEN, "maiden"),
    (
        ACCESS,
        "otpauth otpauthurl token jwt jwts jws cookie cookies credential credentials creds sid sessid phpsessid jsessionid \
         sessionid sessiontoken sessionkey accesstoken refreshtoken idtoken authtoken bearertoken \
         apitoken usertoken logintoken oauthtoken csrftoken xsrftoken securitytoken idtokenhint \
         csrf xsrf apikey apikeys apisecret authkey accesskey accesskeyid secretkey secretaccesskey \
         authorisation samlresponse setcookie authcookie sessioncookie hmac xapikey xfunctionskey \
         subscriptionkey accountkey sharedaccesskey hashkey recoverykey",
    ),
    (ACCESS | HEADER, "authorization"),
    (ACCESS | PLURAL_TOKENS, "tokens"),
    (ACCESS, "accesstokens refreshtokens authtokens"),
    (ACCESS | ORDINARY | SCHEME, "bearer"),
    (SCHEME, "basic negotiate ntlm dpop enter"),
    (ACCESS | ORDINARY | MAKES_CODE | MAKES_KEY | HEADER, "auth"),
    (ACCESS | ORDINARY, "saml ticket signature signatures sig session"),
    (ACCESS | ORDINARY | PLURAL_TOKENS, "sessions tickets"),
    (ACCESS | ORDINARY | SCHEME, "sign"),
    (MAKES_CODE | SCHEME, "verify"),
    (
        USER,
        "password passwords passwd pwd pswd passwort contrasena senha \
         userpassword passwordhint dbpassword userpwd pw psw pword loginpassword",
    ),
    (
        USER | PHRASE,
        "passphrase passphrases mnemonic passwordphrase seedphrase recoveryphrase secretphrase maidenname",
    ),
    (USER | ORDINARY, "pass"),
    (
        USER | DIGITS | MAKES_CODE,
        "passcode passcodes otp totp hotp otps mfa 2fa tfa otpcode pincode mfacode totpcode onetimepassword \
         onetimecode smscode verifycode verificationcode securitycode recoverycode backupcode \
         logincode",
    ),
    (USER | DIGITS | ORDINARY | MAKES_CODE, "pin pins"),
    (CLIENT_SECRET | MAKES_KEY | MAKES_CODE, "secret secrets"),
    (
        CLIENT_SECRET,
        "clientid clientsecret clientassertion privatekey appsecret secretid consumerkey \
         consumersecret secretkeybase signingkey sshkey clientkey",
    ),
    (CLIENT_SECRET | ORDINARY, "assertion assertions"),
    (
        OAUTH,
        "nonce cnonce nextnonce codeverifier codechallenge devicecode usercode authcode authorizationcode oauthcode \
         oauthstate oauthverifier pkce",
    ),
    (OAUTH | ORDINARY, "verifier challenge"),
    (CODE | ORDINARY, "code codes"),
    (STATE | ORDINARY, "state"),
    (KEY | ORDINARY, "key keys"),
    (ID, "id ids identifier"),
    (CLIENT | MAKES_KEY, "client"),
    (ANSWER | ORDINARY | PHRASE, "answer answers"),
    (SECURITY | MAKES_CODE | MAKES_KEY, "security"),
    (QUESTION, "question questions"),
    (MAKES_CODE | MAKES_KEY, "oauth oidc oauth2 sso openid"),
    (MAKES_CODE | MAKES_KEY, "access"),
    (
        MAKES_CODE,
        "device user verification sms login signin confirmation confirm activation recovery \
         backup pairing reset grant email exchange time temporary passkey invitation authentication \
         authorisationcode authenticator factor 2factor unlock approval",
    ),
    (
        MAKES_KEY,
        "api signing encryption decryption master ssh gpg pgp account service shared \
         consumer app application webhook deploy root admin aes rsa subscription storage symmetric \
         license licence provisioning bot aws openai azure stripe seed write integration ingest",
    ),
    (MAKES_KEY | PRIVATE, "private"),
    (
        ABOUT,
        "type types endpoint endpoints url urls uri uris limit limits length size expires expiry \
         expiration expired in at ttl required requirements needed policy name names status method \
         methods supported provider providers timeout budget usage format version server servers \
         hint hints scheme schemes scope scopes kind enabled disabled valid invalid missing present \
         error errors description title page rotation flow flows mode algorithm alg algorithms \
         lifetime age domain path machine event events message reason issuer audience window rate \
         label field fields strength help docs documentation refreshed revoked configured \
         failed failure failures attempts retries manager store location date created updated level \
         class conduct review base coverage style block point points capability capabilities action \
         tool permission permissions through resolver feature option options config settings \
         metadata info schema stats metrics price cost costs parser bucket changed rejected \
         accepted verified duration consent region",
    ),
    (
        COUNTS | ABOUT,
        "prompt count counts max min total maximum minimum num number used remaining completion input \
         output cached reasoning generated consumed estimated average avg context available billed \
         stop special text audio image thinking batch per n",
    ),
    (
        YES_NO | SMALL,
        "has is needs need requires require use uses with no can should supports allow allows \
         enable include includes send sends",
    ),
    (
        HARMLESS,
        "support jira issue bug helpdesk incident function call digital ui gpio working terminal \
         shell training chat agent public primary foreign sort partition cache map boarding virtual \
         bypass tech plus minus road warning",
    ),
    (
        SMALL,
        "the a an your my our their his her its this that new old current following enter entering \
         and or of to correct wrong bad given same other another one using provide paste copy \
         submit got received returned when then where if but so as for by from please set export \
         const let var first second last next digit short google github x",
    ),
];

/// Whose `code` or `state` it may be, so that it is no secret.
static OWNERS: Lexicon = lexicon!(OWNERS_WORDS);
const OWNERS_WORDS: Groups = &[(
    OWNS,
    "error errors status exit return returned response http https country zip postal area region language currency bar qr \
 source byte bytes product promo discount coupon dial reason result sub color colour machine op operation sort \
 item sku order invoice tracking airport station iso rpc json protocol close ws websocket signal \
 failure fault vendor dress morse lines legacy sample example test tests native open python rust java javascript \
 server connection ui app application window thread process device network player button form service system \
 task job pod container cluster node health vm instance power link workflow transaction plugin \
 tool computer agent room client upstream database lifecycle circuit breaker solid steady united \
 internal global local shared",
)];

/// Whether a word before `code` or `state` makes it an ordinary thing.
pub(super) fn owns(word: &[u8]) -> bool {
    OWNERS.find(&[word]) != 0
}

/// Words that follow "is" or a colon in sentences about a secret without telling it.
static COMMON: Lexicon = lexicon!(COMMON_WORDS);
const COMMON_WORDS: Groups = &[(
    1,
    "a an the this that these those your my our their his her its no not none null nil reset hidden forgotten taken chosen found overwritten withheld never always also \
     now still already only just too very so then again about for from in on at to of by with without \
     within under over out up down here there where when what why how who which if and or but as than \
     because until is are was were be been has have had does do did can could may might must should will \
     would used sent kept set lost due gone held shown given written stolen bad wrong good fine ok okay \
     empty missing present absent valid invalid unknown stale old new fresh weak strong short long \
     mandatory optional necessary private public safe secure unique opaque incorrect correct malformed \
     corrupt unset undefined true false yes one two three part ready active inactive open idle online \
     offline running healthy unhealthy degraded pending complete incomplete unavailable error failure \
     success successful denied forbidden unauthorized authorization authentication please see use try \
     check enter sign log go ask contact click visit retry required it we you they he she i count type \
     any all some each every both either neither such same other another more less most least like clean \
     green red simple easy hard clear free full great available broken frozen unchanged current temporary \
     permanent transient revoked expired oauth bearer basic github google gitlab slack token tokens \
     string number bool boolean integer object array bytes str int dict list text outdated mismatch \
     rejected timeout refresh access header headers cookie session sessions password passwords code codes \
     service server machine conduct run meant made fails works expires requires needs exists store storage management \
     manager scheme review based unlike unless per via through between after before during while once since belongs",
)];

/// Whether a word is one of those that sentences about secrets go on with.
pub(super) fn is_ordinary(word: &[u8]) -> bool {
    COMMON.find(&[word]) != 0
}

static KNOWN: Lexicon = lexicon!(GROUPS);

/// Words and what is known of them.
struct Lexicon {
    groups: Groups,
    /// In the places of their hashes where the words stand: group (8 bits), start (16 bits) and length (8 bits).
    /// Behind them, for each first letter, the lengths of the words that begin with it, one bit each: most words that
    /// are asked for are none of them, and this tells without reading them.
    table: Table<{ SLOTS + 32 }>,
}

/// Words and what is known of those of each group.
type Groups = &'static [(Flags, &'static str)];

const SLOTS: usize = 2048;

/// Makes a letter a small one and leaves a digit as it is. What else it changes is in no word that is known.
const CASE: u8 = 0x20;

/// Of a word in any letter case. `hash` is what the parts before it came to. Turning costs less time than multiplying
/// does, byte by byte.
const fn hash(word: &[u8], mut hash: u32) -> u32 {
    let mut rest = word;
    while let Some((byte, tail)) = rest.split_first() {
        hash = hash.rotate_left(5) ^ (*byte | CASE) as u32;
        rest = tail;
    }
    hash
}

const fn place(hash: u32) -> usize {
    (hash.wrapping_mul(0x9E37_79B1) >> (32 - SLOTS.trailing_zeros())) as usize
}

/// Calls for the words of a group one after the other: start and end of the next one.
const fn next_word(words: &[u8], from: usize) -> Option<(usize, usize)> {
    let mut start = from;
    while start < words.len() && byte_at(words, start) == b' ' {
        start += 1;
    }
    let mut end = start;
    while end < words.len() && byte_at(words, end) != b' ' {
        end += 1;
    }
    if start == end { None } else { Some((start, end)) }
}

#[allow(clippy::indexing_slicing)] // evaluated by the compiler
const fn byte_at(bytes: &[u8], at: usize) -> u8 {
    bytes[at]
}

#[allow(clippy::indexing_slicing, clippy::cast_possible_truncation)] // evaluated by the compiler
const fn places(groups: Groups) -> [u32; SLOTS + 32] {
    let mut table = [0; SLOTS + 32];
    let mut group = 0;
    while group < groups.len() {
        let words = groups[group].1.as_bytes();
        let mut from = 0;
        while let Some((start, end)) = next_word(words, from) {
            let (_, tail) = words.split_at(start);
            let (word, _) = tail.split_at(end - start);
            let mut place = place(hash(word, 0));
            while table[place] != 0 {
                place = (place + 1) % SLOTS;
            }
            table[place] = (group << 24 | start << 8 | (end - start)) as u32;
            table[SLOTS + (word[0] & 0x1F) as usize] |= 1 << (end - start);
            from = end;
        }
        group += 1;
    }
    table
}

/// The first four bytes of the next word that may begin a label, and where to go on; for the scan.
#[allow(clippy::indexing_slicing)] // evaluated by the compiler
pub(super) const fn label_beginning(mut group: usize, from: usize) -> Option<([u8; 4], usize, usize)> {
    let mut from = from;
    while group < GROUPS.len() {
        let words = GROUPS[group].1.as_bytes();
        if GROUPS[group].0 & (LABEL | SCHEME) != 0
            && let Some((start, end)) = next_word(words, from)
        {
            let fourth = if end - start > 3 { words[start + 3] } else { 0 };
            let second = if end - start > 1 { words[start + 1] } else { 0 };
            let third = if end - start > 2 { words[start + 2] } else { 0 };
            return Some(([words[start], second, third, fourth], group, end));
        }
        group += 1;
        from = 0;
    }
    None
}

/// `githubtoken`, `mysecret`: no other words end so.
const TELLING: &[(&[u8], Flags)] = &[
    (b"token", ACCESS),
    (b"apikey", ACCESS),
    (b"credentials", ACCESS),
    (b"password", USER),
    (b"passwd", USER),
    (b"passphrase", USER | PHRASE),
    (b"secret", CLIENT_SECRET),
];

/// Which of [`TELLING`] a word ends in.
fn telling(word: &[u8]) -> Option<(usize, Flags)> {
    let [.., before, last] = word else { return None };
    // Most words end in none of them, and two letters tell.
    let may_be = matches!(
        (before.to_ascii_lowercase(), last.to_ascii_lowercase()),
        (b'e', b'n' | b't' | b'y') | (b'l' | b's', b's' | b'e') | (b'r' | b'w', b'd')
    );
    if !may_be || word.len() > LONGEST {
        return None;
    }
    TELLING.iter().find_map(|&(tail, flags)| {
        let start = word.len().checked_sub(tail.len())?;
        word.get(start..)?.eq_ignore_ascii_case(tail).then_some((start, flags))
    })
}

fn exact(word: &[u8]) -> Flags {
    KNOWN.find(&[word])
}

impl Lexicon {
    /// The flags of the word that the parts make together, in any letter case. Nothing is copied: a copy of a few bytes
    /// that is read again at once costs more than all the rest.
    fn find(&self, parts: &[&[u8]]) -> Flags {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        let first = parts.first().and_then(|part| part.first()).map_or(0, |byte| usize::from(byte & 0x1F));
        let table = self.table.ready();
        if length > LONGEST || table.get(SLOTS + first) >> length & 1 == 0 {
            return 0;
        }
        let mut place = place(parts.iter().fold(0, |sum, part| hash(part, sum)));
        for _ in 0..SLOTS {
            let slot = table.get(place);
            if slot == 0 {
                break;
            }
            let start = (slot >> 8 & 0xFFFF) as usize;
            if (slot & 0xFF) as usize == length
                && let Some((flags, words)) = self.groups.get((slot >> 24) as usize)
                && let Some(known) = words.as_bytes().get(start..start + length)
                && is_made_of(known, parts)
            {
                return *flags;
            }
            place = (place + 1) % SLOTS;
        }
        0
    }
}

/// Whether a word in small letters is what the parts make together.
fn is_made_of(mut word: &[u8], parts: &[&[u8]]) -> bool {
    parts.iter().all(|part| {
        word.split_at_checked(part.len()).is_some_and(|(head, tail)| {
            word = tail;
            head.iter().zip(*part).all(|(known, byte)| *known == *byte | CASE)
        })
    })
}

/// Whether a word is a label's even at the end of a longer one.
pub(super) fn is_telling(word: &[u8]) -> bool {
    telling(word).is_some_and(|(start, _)| start == 0)
}

/// The words of a key, split at everything that is no letter or digit and at case changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Words<'k> {
    words: [&'k [u8]; MOST],
    count: usize,
    /// How many there were in all.
    seen: usize,
}

impl<'k> Words<'k> {
    pub(super) fn of(key: &'k [u8]) -> Self {
        let mut words = Self { words: [&[]; MOST], count: 0, seen: 0 };
        words.add(key);
        words
    }

    pub(super) fn add(&mut self, key: &'k [u8]) {
        let mut start = 0;
        let mut last = 0_u8;
        for (at, &byte) in key.iter().enumerate() {
            if byte.is_ascii_lowercase() && last < 0x80 {
                // A word that goes on, as nearly everywhere.
            } else if !is_word(byte) {
                self.push(key.get(start..at).unwrap_or_default());
                start = at + 1;
            } else if byte.is_ascii_uppercase()
                && (last.is_ascii_lowercase()
                    || last.is_ascii_digit()
                    || (last.is_ascii_uppercase() && key.get(at + 1).is_some_and(u8::is_ascii_lowercase)))
                || (byte >= 0x80) != (last >= 0x80)
            {
                self.push(key.get(start..at).unwrap_or_default());
                start = at;
            }
            last = byte;
        }
        self.push(key.get(start..).unwrap_or_default());
    }

    fn push(&mut self, word: &'k [u8]) {
        if word.is_empty() {
            return;
        }
        if self.count == MOST {
            self.words.rotate_left(1);
            self.count -= 1;
        }
        if let Some(slot) = self.words.get_mut(self.count) {
            *slot = word;
            self.count += 1;
            self.seen += 1;
        }
    }

    /// Whether one of the words has one of the flags.
    pub(super) fn has(&self, wanted: Flags) -> bool {
        self.as_slice().iter().any(|word| flags(word) & wanted != 0)
    }

    /// Whether every word is known or an ordinary one, so that the whole may be shown.
    pub(super) fn are_names(&self) -> bool {
        self.seen <= MOST
            && self.as_slice().iter().all(|word| {
                flags(word) != 0
                    || word.len() <= 3
                    || word.len() <= 16
                        && (super::values::is_plain(word) || word.iter().all(|byte| *byte >= 0x80))
            })
    }

    /// Whether every word is a known one in itself.
    pub(super) fn are_known(&self) -> bool {
        self.as_slice().iter().all(|word| exact(word) != 0 || super::chinese::key(word).is_some())
    }

    pub(super) fn seen(&self) -> usize {
        self.seen
    }

    fn as_slice(&self) -> &[&'k [u8]] {
        self.words.get(..self.count).unwrap_or_default()
    }

    /// What lies under a key of these words.
    pub(super) fn label(&self) -> Option<Label> {
        let words = self.as_slice();
        let mut known = [0; MOST];
        for (slot, word) in known.iter_mut().zip(words) {
            *slot = flags(word);
        }
        let known = known.get(..words.len()).unwrap_or_default();
        // "token2", "token_2": a number at the end changes nothing.
        let numbers = words.iter().rev().take_while(|word| word.iter().all(u8::is_ascii_digit)).count();
        let known = known.get(..known.len() - numbers).unwrap_or_default();
        let (&last, &first) = (known.last()?, known.first()?);
        if known.len() > 1 {
            // All words as one, for `pAsSwOrD` and `access_Tok_en`.
            let joined = KNOWN.find(words) & LABEL;
            if joined & (ACCESS | USER | CLIENT_SECRET | OAUTH) != 0 {
                return strong(joined);
            }
        }
        if let Some(chinese) = words.iter().find_map(|word| super::chinese::key(word)) {
            return Some(chinese);
        }
        let client = words
            .iter()
            .zip(known.iter().skip(1))
            .any(|(word, next)| next & ID != 0 && word.ends_with("客户端".as_bytes()));
        if client {
            return strong(CLIENT_SECRET);
        }
        if last & ABOUT != 0 && known.len() > 1 {
            if known.iter().any(|flags| flags & MAIDEN != 0) {
                return strong(USER | PHRASE);
            }
            return id_token_hint(words);
        }
        let mut label = decide(known)?;
        label.yes_no = first & YES_NO != 0 && known.len() > 1;
        Some(label)
    }
}

/// `id_token_hint` holds a token, and a hint at a password gives it away.
fn id_token_hint(words: &[&[u8]]) -> Option<Label> {
    let is = |word: Option<&&[u8]>, name: &[u8]| word.is_some_and(|word| word.eq_ignore_ascii_case(name));
    let mut back = words.iter().rev();
    if !is(back.next(), b"hint") {
        return None;
    }
    let before = back.next();
    if is(before, b"token") && is(back.next(), b"id") {
        return Some(Label::new(Category::AccessCredential, ACCESS));
    }
    is(before, b"password").then_some(Label::new(Category::UserSecret, USER | PHRASE))
}

/// What the words of a key stand for together, by their flags.
pub(super) fn decide(known: &[Flags]) -> Option<Label> {
    let any = |wanted: Flags| known.iter().any(|flags| flags & wanted != 0);
    let last = known.last().copied().unwrap_or(0);
    let alone = known.iter().all(|flags| flags & SMALL != 0 || flags & LABEL != 0);
    // `max_tokens`, `tokens_per_second`, `prompt_tokens_details`
    if any(PLURAL_TOKENS) && any(COUNTS) && (last & PLURAL_TOKENS != 0 || last & LABEL == 0) {
        return None;
    }
    // The first word that is nothing but a secret decides.
    if let Some(&flags) = known
        .iter()
        .find(|flags| **flags & (ACCESS | USER | CLIENT_SECRET | OAUTH) != 0 && **flags & ORDINARY == 0)
    {
        return strong(flags);
    }
    if any(CLIENT) && any(ID) {
        return Some(Label::new(Category::ClientCredential, CLIENT_SECRET));
    }
    if any(ANSWER) && (any(SECURITY | CLIENT_SECRET | MAKES_CODE)) || any(SECURITY) && any(QUESTION) {
        return Some(Label::new(Category::UserSecret, USER | PHRASE));
    }
    if any(KEY) && any(MAKES_KEY) && !any(HARMLESS) {
        let category =
            if any(CLIENT | PRIVATE) { Category::ClientCredential } else { Category::AccessCredential };
        return Some(Label::new(category, ACCESS));
    }
    if any(CODE) && any(OAUTH) {
        return strong(OAUTH);
    }
    if last & CODE != 0 || any(CODE) && alone {
        if any(USER) {
            return strong(USER | DIGITS);
        }
        if known.iter().any(|flags| flags & MAKES_CODE != 0) {
            return Some(Label::new(Category::OauthParameter, OAUTH | DIGITS));
        }
        return alone.then_some(Label::new(Category::OauthParameter, CODE | ORDINARY));
    }
    if last & STATE != 0 {
        // `oauth_state`, `session_state`; a `user_state` or a `device_state` is an ordinary one.
        let both = MAKES_CODE | MAKES_KEY;
        if any(OAUTH | ACCESS) || known.iter().any(|flags| flags & both == both) {
            return strong(OAUTH);
        }
        return alone.then_some(Label::new(Category::OauthParameter, STATE | ORDINARY));
    }
    if any(HARMLESS) {
        return None;
    }
    // What is left has an ordinary meaning as well, and is a secret where it is what the key is about.
    let &flags = known.iter().rev().find(|flags| **flags & (ACCESS | USER | CLIENT_SECRET | OAUTH) != 0)?;
    let mut label = strong(flags)?;
    label.flags |= ORDINARY;
    Some(label)
}

fn strong(flags: Flags) -> Option<Label> {
    let category = if flags & ACCESS != 0 {
        Category::AccessCredential
    } else if flags & USER != 0 {
        Category::UserSecret
    } else if flags & CLIENT_SECRET != 0 {
        Category::ClientCredential
    } else if flags & OAUTH != 0 {
        Category::OauthParameter
    } else {
        return None;
    };
    Some(Label::new(category, flags))
}

#[inline]
pub(super) const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a glance takes for a plain key is none of a secret: every known word, alone, torn at every place, glued to
    /// and beside every other.
    #[test]
    fn plain_keys_are_no_labels() {
        use super::super::scan::{is_plain_key, tables};
        let mut words: Vec<&str> = Vec::new();
        for (_, group) in GROUPS {
            words.extend(group.split_whitespace());
        }
        let mut plain = 0;
        let mut check = |key: &str| {
            if is_plain_key(key.as_bytes(), tables(false)) {
                plain += 1;
                assert_eq!(label(key), None, "{key}");
            }
        };
        for word in &words {
            check(word);
            for at in 1..word.len() {
                let (head, tail) = word.split_at(at);
                check(&format!("{head}_{tail}"));
            }
            check(&format!("git{word}"));
            for other in &words {
                check(&format!("{word}{other}"));
                check(&format!("{word}_{other}"));
                check(&format!("the_{word}_{other}"));
            }
        }
        assert!(plain > 10_000, "{plain}");
    }

    fn label(key: &str) -> Option<Label> {
        Words::of(key.as_bytes()).label()
    }

    #[test]
    fn keys_of_secrets() {
        for key in [
            "access_token",
            "accessToken",
            "ACCESS_TOKEN",
            "Access-Token",
            "X-Api-Key",
            "ClientID",
            "client_id",
            "APIKey",
            "apiKey",
            "token2",
            "pAsSwOrD",
            "oauth2Token",
            "connect.sid",
            "X-Amz-Signature",
            "session",
            "session_id",
            "JSESSIONID",
            "set-cookie",
            "code",
            "state",
            "user_code",
            "deviceCode",
            "code_verifier",
            "auth",
            "Proxy-Authorization",
            "basic_auth",
            "private_key",
            "security_answer",
            "secretAnswer",
            "pin",
            "PIN_code",
            "2fa",
            "mfaCode",
            "one_time_code",
            "id_token_hint",
            "password_hint",
            "db_pass",
            "csrf_token",
            "tokens",
            "aws_secret_access_key",
            "access_key_id",
            "oauth_state",
            "session_state",
            "token_value",
            "security_questions",
            "recovery_codes",
            "ticket",
            "nonce",
            "verifier",
            "challenge",
            "assertion",
            "密码",
            "用户密码",
            "令牌",
            "验证码",
            "新密码2",
            "客户端密钥",
            "密碼",
        ] {
            assert!(label(key).is_some(), "{key}");
        }
    }

    #[test]
    fn keys_of_ordinary_things() {
        for key in [
            "status_code",
            "statusCode",
            "error_code",
            "country_code",
            "zip_code",
            "postal_code",
            "barcode",
            "codec",
            "encoding",
            "encoded",
            "max_tokens",
            "maxTokens",
            "total_tokens",
            "tokenizer",
            "token_type",
            "token_endpoint",
            "secretary",
            "interstate",
            "statement",
            "estate",
            "session_count",
            "pinned",
            "footprint",
            "laptop_model",
            "token_refresh_required",
            "auth_hint",
            "auth_method",
            "authorization_endpoint",
            "code_challenge_method",
            "server_state",
            "state_machine",
            "public_key",
            "primary_key",
            "key",
            "keyboard",
            "monkey",
            "password_policy",
            "token_count",
            "support_ticket",
            "author",
            "authority",
            "compass",
            "passed",
            "id",
            "trace_id",
            "req_id",
            "mcp_server",
            "tool",
            "action",
            "message",
            "url",
            "name",
            "value",
            "expires_in",
            "exit_code",
            "source_code",
            "密码策略",
            "二维码",
            "错误码",
            "状态码",
            "令牌类型",
            "编码",
            "mfa_required",
            "promptTokens",
            "function_signature",
            "answer",
            "question",
            "client",
            "client_name",
            "retry_after",
            "codebase",
        ] {
            assert!(label(key).is_none(), "{key}: {:?}", label(key));
        }
    }

    #[test]
    fn a_yes_or_no_is_marked() {
        assert!(label("has_token").unwrap().yes_no);
        assert!(!label("token").unwrap().yes_no);
    }
}
