//! Labels in Chinese (and a few in Japanese and Korean), which has no spaces to split words at.
//!
//! The language puts the head last: 用户密码 is a password, 密码策略 is a policy. So a key is a secret's where it
//! ends in a secret's name.

use super::Category;
use super::words::{ACCESS, CLIENT_SECRET, DIGITS, Flags, Label, OAUTH, PHRASE, USER};

const NAMES: &[(&str, Category, Flags)] = &[
    ("密码", Category::UserSecret, USER),
    ("密碼", Category::UserSecret, USER),
    ("口令", Category::UserSecret, USER),
    ("暗号", Category::UserSecret, USER),
    ("通行码", Category::UserSecret, USER | DIGITS),
    ("验证码", Category::UserSecret, USER | DIGITS),
    ("驗證碼", Category::UserSecret, USER | DIGITS),
    ("校验码", Category::UserSecret, USER | DIGITS),
    ("动态码", Category::UserSecret, USER | DIGITS),
    ("動態碼", Category::UserSecret, USER | DIGITS),
    ("短信码", Category::UserSecret, USER | DIGITS),
    ("安全码", Category::UserSecret, USER | DIGITS),
    ("安全碼", Category::UserSecret, USER | DIGITS),
    ("认证码", Category::UserSecret, USER | DIGITS),
    ("认证碼", Category::UserSecret, USER | DIGITS),
    ("恢复码", Category::UserSecret, USER | DIGITS),
    ("备用码", Category::UserSecret, USER | DIGITS),
    ("激活码", Category::UserSecret, USER | DIGITS),
    ("登录码", Category::UserSecret, USER | DIGITS),
    ("确认码", Category::UserSecret, USER | DIGITS),
    ("密保答案", Category::UserSecret, USER | PHRASE),
    ("问题答案", Category::UserSecret, USER | PHRASE),
    ("问题的答案", Category::UserSecret, USER | PHRASE),
    ("助记词", Category::UserSecret, USER | PHRASE),
    ("授权码", Category::OauthParameter, OAUTH | DIGITS),
    ("授權碼", Category::OauthParameter, OAUTH | DIGITS),
    ("设备码", Category::OauthParameter, OAUTH | DIGITS),
    ("用户码", Category::OauthParameter, OAUTH | DIGITS),
    ("用户代码", Category::OauthParameter, OAUTH | DIGITS),
    ("设备代码", Category::OauthParameter, OAUTH | DIGITS),
    ("授权代码", Category::OauthParameter, OAUTH | DIGITS),
    ("验证代码", Category::UserSecret, USER | DIGITS),
    ("输入代码", Category::OauthParameter, OAUTH | DIGITS),
    ("安全代码", Category::UserSecret, USER | DIGITS),
    ("登录代码", Category::UserSecret, USER | DIGITS),
    ("次性代码", Category::UserSecret, USER | DIGITS),
    ("裝置代碼", Category::OauthParameter, OAUTH | DIGITS),
    ("用者代碼", Category::OauthParameter, OAUTH | DIGITS),
    ("授權代碼", Category::OauthParameter, OAUTH | DIGITS),
    ("驗證代碼", Category::UserSecret, USER | DIGITS),
    ("輸入代碼", Category::OauthParameter, OAUTH | DIGITS),
    ("問題答案", Category::UserSecret, USER | PHRASE),
    ("問題的答案", Category::UserSecret, USER | PHRASE),
    ("客户端ID", Category::ClientCredential, CLIENT_SECRET),
    ("客户端id", Category::ClientCredential, CLIENT_SECRET),
    ("客户端 ID", Category::ClientCredential, CLIENT_SECRET),
    ("随机数", Category::OauthParameter, OAUTH | DIGITS),
    ("令牌", Category::AccessCredential, ACCESS),
    ("權杖", Category::AccessCredential, ACCESS),
    ("票据", Category::AccessCredential, ACCESS),
    ("凭证", Category::AccessCredential, ACCESS),
    ("凭据", Category::AccessCredential, ACCESS),
    ("憑證", Category::AccessCredential, ACCESS),
    ("憑據", Category::AccessCredential, ACCESS),
    ("會話", Category::AccessCredential, ACCESS),
    ("簽章", Category::AccessCredential, ACCESS),
    ("签名", Category::AccessCredential, ACCESS),
    ("簽名", Category::AccessCredential, ACCESS),
    ("会话标识", Category::AccessCredential, ACCESS),
    ("会话", Category::AccessCredential, ACCESS),
    ("密钥", Category::ClientCredential, CLIENT_SECRET),
    ("秘钥", Category::ClientCredential, CLIENT_SECRET),
    ("密匙", Category::ClientCredential, CLIENT_SECRET),
    ("密鑰", Category::ClientCredential, CLIENT_SECRET),
    ("私钥", Category::ClientCredential, CLIENT_SECRET),
    ("私鑰", Category::ClientCredential, CLIENT_SECRET),
    ("金鑰", Category::ClientCredential, CLIENT_SECRET),
    ("客户端标识", Category::ClientCredential, CLIENT_SECRET),
    ("パスワード", Category::UserSecret, USER),
    ("暗証番号", Category::UserSecret, USER | DIGITS),
    ("トークン", Category::AccessCredential, ACCESS),
    ("비밀번호", Category::UserSecret, USER),
    ("토큰", Category::AccessCredential, ACCESS),
];

/// The first characters of the names, for the scan that looks for them.
pub(super) const fn first_bytes(index: usize) -> Option<[u8; 3]> {
    if index >= NAMES.len() {
        return None;
    }
    #[allow(clippy::indexing_slicing)] // evaluated by the compiler, and in bounds by the line above
    let name = NAMES[index].0.as_bytes();
    match name.first_chunk::<3>() {
        Some(bytes) => Some(*bytes),
        None => None,
    }
}

/// What a run of Chinese characters as a key, or the end of one, stands for.
pub(super) fn key(word: &[u8]) -> Option<Label> {
    if word.first().is_none_or(u8::is_ascii) {
        return None;
    }
    // 值 is "value": 令牌值. What closes around a label is none of it.
    let mut word = word;
    for tail in ["：", "】", "」", "”", "值"] {
        word = word.strip_suffix(tail.as_bytes()).unwrap_or(word);
    }
    NAMES
        .iter()
        .find(|(name, ..)| word.ends_with(name.as_bytes()))
        .map(|(_, category, flags)| Label::new(*category, *flags))
}

/// The name at the start of a text, and its length in bytes.
pub(super) fn name(text: &[u8]) -> Option<(usize, Label)> {
    // Most places that the scan stops at for the sake of a name are other characters.
    let first = text.first_chunk::<3>()?;
    let char = core::str::from_utf8(first).ok()?.chars().next()?;
    if !matches!(
        char,
        '密' | '口'
            | '暗'
            | '通'
            | '次'
            | '裝'
            | '輸'
            | '問'
            | '會'
            | '验'
            | '驗'
            | '校'
            | '动'
            | '動'
            | '短'
            | '安'
            | '认'
            | '恢'
            | '备'
            | '激'
            | '登'
            | '确'
            | '问'
            | '助'
            | '授'
            | '设'
            | '用'
            | '随'
            | '令'
            | '權'
            | '票'
            | '凭'
            | '憑'
            | '签'
            | '簽'
            | '会'
            | '秘'
            | '私'
            | '金'
            | '输'
            | '客'
            | 'パ'
            | 'ト'
            | '비'
            | '토'
    ) {
        return None;
    }
    NAMES
        .iter()
        .find(|(name, ..)| name.as_bytes().first_chunk() == Some(first) && text.starts_with(name.as_bytes()))
        .map(|(name, category, flags)| (name.len(), Label::new(*category, *flags)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_found() {
        for (text, ..) in NAMES {
            assert_eq!(name(text.as_bytes()).map(|(length, _)| length), Some(text.len()), "{text}");
            assert!(super::super::words::Words::of(text.as_bytes()).label().is_some(), "{text}");
        }
        assert!(name("错误码".as_bytes()).is_none() && key("密码策略".as_bytes()).is_none());
    }
}
