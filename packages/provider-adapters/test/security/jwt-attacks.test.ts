import { assert, layer } from "@effect/vitest"
import { type Claims, TokenInvalid, TokenSigner } from "@parley/domain/platform"
import { Effect, Redacted } from "effect"
import { CompactSign, SignJWT } from "jose"
import { createHmac, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto"
import { issuer, layerOn, makeKeyStore } from "./fixtures.ts"
import { encode, type Kit, makeKit, signEd25519 } from "./forgery.ts"

const everyUse: ReadonlyArray<Claims["use"]> = ["session", "automation", "docs", "operator"]

const partsOf = (token: string) => {
  const [head = "", body = "", signature = ""] = token.split(".")
  return { head, body, signature, input: `${head}.${body}` }
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

/** The same bytes in another spelling: the bits of the last character that no byte takes are set. */
const withSpareBits = (part: string) => part.slice(0, -1) + alphabet[alphabet.indexOf(part.slice(-1)) + 1]

const flipped = (part: string, index = 0) => {
  const bytes = Buffer.from(part, "base64url")
  bytes[index] = (bytes[index] ?? 0) ^ 1
  return bytes.toString("base64url")
}

const withSignature = (token: string, signature: string | Uint8Array) =>
  `${partsOf(token).input}.${typeof signature === "string" ? signature : Buffer.from(signature).toString("base64url")}`

const order = 2n ** 252n + 27742317777372353535851937790883648493n

const littleEndian = (bytes: Uint8Array) => bytes.reduceRight((number, byte) => number * 256n + BigInt(byte), 0n)

/** The same signature with the order of the group added to its scalar: a lax verifier takes it too. */
const malleated = (token: string) => {
  const bytes = Buffer.from(partsOf(token).signature, "base64url")
  let scalar = littleEndian(bytes.subarray(32)) + order
  for (let index = 32; index < 64; index++) {
    bytes[index] = Number(scalar % 256n)
    scalar /= 256n
  }
  return withSignature(token, bytes)
}

const hmacToken = (kit: Kit, alg: string, secret: string | Uint8Array) => {
  const input = `${encode({ ...kit.header, alg })}.${encode(kit.payload)}`
  return `${input}.${createHmac(alg === "HS256" ? "sha256" : "sha512", secret)
    .update(input)
    .digest("base64url")}`
}

const otherKeyToken = (kit: Kit, alg: string, hash: string | null, key: KeyObject) => {
  const input = `${encode({ ...kit.header, alg })}.${encode(kit.payload)}`
  return `${input}.${signBytes(hash, Buffer.from(input), key).toString("base64url")}`
}

const unsigned = (kit: Kit, alg: unknown) => `${encode({ ...kit.header, alg })}.${encode(kit.payload)}.`

const spki = (kit: Kit, type: "pem" | "der") => kit.publicKey.export({ format: type as "der", type: "spki" })

const attackerJwk = (kit: Kit) => {
  const { crv, kty, x } = kit.theirs.export({ format: "jwk" })
  return { crv, kty, x }
}

const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 })
const p256 = generateKeyPairSync("ec", { namedCurve: "P-256" })
const ed448 = generateKeyPairSync("ed448")

interface Attack {
  readonly token: (kit: Kit) => string
  readonly uses?: ReadonlyArray<Claims["use"]>
  readonly expired?: true
}

const attack = (token: (kit: Kit) => string, more: Omit<Attack, "token"> = {}): Attack => ({ token, ...more })

const attacks: Record<string, Attack> = {
  "alg none": attack((kit) => unsigned(kit, "none")),
  "alg None": attack((kit) => unsigned(kit, "None")),
  "alg NONE": attack((kit) => unsigned(kit, "NONE")),
  "alg nOnE": attack((kit) => unsigned(kit, "nOnE")),
  "alg none without the last dot": attack((kit) => unsigned(kit, "none").slice(0, -1)),
  "alg none with a good signature": attack((kit) => kit.withHeader({ alg: "none" })),
  "alg none in the header of a good token": attack((kit) => {
    const { body, signature } = partsOf(kit.tokens.session)
    return `${encode({ ...kit.header, alg: "none" })}.${body}.${signature}`
  }),
  "alg empty": attack((kit) => unsigned(kit, "")),
  "alg null": attack((kit) => kit.withHeader({ alg: null })),
  "alg missing": attack((kit) => kit.withHeader({ alg: undefined })),
  "alg in an array": attack((kit) => kit.withHeader({ alg: ["EdDSA"] })),
  "alg in lower case": attack((kit) => kit.withHeader({ alg: "eddsa" })),
  "alg with a space": attack((kit) => kit.withHeader({ alg: "EdDSA " })),
  "alg by its newer name": attack((kit) => kit.withHeader({ alg: "Ed25519" })),

  "HS256 with the bytes of the public key": attack((kit) =>
    hmacToken(kit, "HS256", Buffer.from(kit.publicJwk.x ?? "", "base64url"))
  ),
  "HS256 with the x of the public key": attack((kit) => hmacToken(kit, "HS256", kit.publicJwk.x ?? "")),
  "HS256 with the public key as JSON": attack((kit) => hmacToken(kit, "HS256", JSON.stringify(kit.publicJwk))),
  "HS256 with the public key as PEM": attack((kit) => hmacToken(kit, "HS256", spki(kit, "pem"))),
  "HS256 with the public key as DER": attack((kit) => hmacToken(kit, "HS256", spki(kit, "der"))),
  "HS512 with the public key as PEM": attack((kit) => hmacToken(kit, "HS512", spki(kit, "pem"))),
  "HS256 with an empty secret": attack((kit) => hmacToken(kit, "HS256", "")),
  "HS256 with the kid": attack((kit) => hmacToken(kit, "HS256", kit.kid)),
  "RS256 with a key of the attacker": attack((kit) => otherKeyToken(kit, "RS256", "sha256", rsa.privateKey)),
  "ES256 with a key of the attacker": attack((kit) => otherKeyToken(kit, "ES256", "sha256", p256.privateKey)),
  "EdDSA with a key on P-256": attack((kit) => {
    const input = `${encode(kit.header)}.${encode(kit.payload)}`
    const key = { key: p256.privateKey, dsaEncoding: "ieee-p1363" as const }
    return `${input}.${signBytes("sha256", Buffer.from(input), key).toString("base64url")}`
  }),
  "EdDSA with an Ed448 key": attack((kit) => otherKeyToken(kit, "EdDSA", null, ed448.privateKey)),
  "EdDSA with an Ed448 key, cut to the length": attack((kit) => {
    const token = otherKeyToken(kit, "EdDSA", null, ed448.privateKey)
    return withSignature(token, Buffer.from(partsOf(token).signature, "base64url").subarray(0, 64))
  }),

  "no kid": attack((kit) => kit.withHeader({ kid: undefined })),
  "kid null": attack((kit) => kit.withHeader({ kid: null })),
  "kid empty": attack((kit) => kit.withHeader({ kid: "" })),
  "kid unknown": attack((kit) => kit.withHeader({ kid: "A".repeat(43) })),
  "kid unknown, with a key of the attacker": attack((kit) => kit.withHeader({ kid: "B".repeat(43) }, kit.theirs)),
  "kid ours, with a key of the attacker": attack((kit) => kit.withHeader({}, kit.theirs)),
  "kid of a path": attack((kit) => kit.withHeader({ kid: "../../../../../../dev/null" })),
  "kid of a path, with NULs for a key": attack((kit) =>
    hmacToken({ ...kit, header: { ...kit.header, kid: "/dev/null" } }, "HS256", Buffer.alloc(32))
  ),
  "kid of SQL": attack((kit) => kit.withHeader({ kid: "' OR '1'='1" })),
  "kid of SQL that gives a key": attack((kit) => kit.withHeader({ kid: "x' UNION SELECT 'key' -- " })),
  "kid of a command": attack((kit) => kit.withHeader({ kid: "|sleep 10" })),
  "kid of an address": attack((kit) => kit.withHeader({ kid: "https://attacker.test/key" })),
  "kid in an array": attack((kit) => kit.withHeader({ kid: [kit.kid] })),
  "kid in an object": attack((kit) => kit.withHeader({ kid: { kid: kit.kid } })),
  "kid a number": attack((kit) => kit.withHeader({ kid: 0 })),
  "kid with a NUL": attack((kit) => kit.withHeader({ kid: `${kit.kid}\u0000` })),
  "kid with a space": attack((kit) => kit.withHeader({ kid: ` ${kit.kid}` })),
  "kid in another case": attack((kit) =>
    kit.withHeader({ kid: kit.kid.toLowerCase() === kit.kid ? kit.kid.toUpperCase() : kit.kid.toLowerCase() })
  ),
  "kid of the prototype": attack((kit) => kit.withHeader({ kid: "__proto__" })),
  "kid of a method": attack((kit) => kit.withHeader({ kid: "constructor" })),

  "no typ": attack((kit) => kit.withHeader({ typ: undefined })),
  "typ JWT": attack((kit) => kit.withHeader({ typ: "JWT" })),
  "typ in upper case": attack((kit) => kit.withHeader({ typ: "AT+JWT" })),
  "typ with its media type": attack((kit) => kit.withHeader({ typ: "application/at+jwt" })),
  "typ of docs over a session": attack((kit) => kit.withHeader({ typ: "docs+jwt" })),
  "typ of a session over docs": attack((kit) => {
    const { body } = partsOf(kit.tokens.docs)
    return kit.forge(kit.header, Buffer.from(body, "base64url").toString())
  }),
  "typ of an operator over a session": attack((kit) => kit.withHeader({ typ: "operator+jwt" })),
  "typ of a session over an operator": attack((kit) => {
    const { body } = partsOf(kit.tokens.operator)
    return kit.forge(kit.header, Buffer.from(body, "base64url").toString())
  }),
  "aud of an operator in a session": attack((kit) => kit.withPayload({ aud: "operator" })),
  "aud and typ of an operator in a session": attack((kit) =>
    kit.forge({ ...kit.header, typ: "operator+jwt" }, { ...kit.payload, aud: "operator" })
  ),
  "an organization in an operator token": attack((kit) =>
    kit.forge(
      { ...kit.header, typ: "operator+jwt" },
      { ...kit.payload, aud: "operator", sid: undefined, org: kit.payload.sub }
    )
  ),
  "an operator token of another key": attack((kit) =>
    kit.forge({ ...kit.header, typ: "operator+jwt" }, { ...kit.payload, aud: "operator", sid: undefined }, kit.theirs)
  ),
  "an operator token without an algorithm": attack(
    (kit) => `${encode({ ...kit.header, alg: "none", typ: "operator+jwt" })}.${partsOf(kit.tokens.operator).body}.`
  ),
  "the payload of an operator token under the signature of a session": attack((kit) => {
    const { head, signature } = partsOf(kit.tokens.session)
    return `${head}.${partsOf(kit.tokens.operator).body}.${signature}`
  }),
  "typ in an array": attack((kit) => kit.withHeader({ typ: ["at+jwt"] })),

  "no iss": attack((kit) => kit.withPayload({ iss: undefined })),
  "another iss": attack((kit) => kit.withPayload({ iss: "https://attacker.test" })),
  "iss with a slash more": attack((kit) => kit.withPayload({ iss: `${issuer}/` })),
  "iss in upper case": attack((kit) => kit.withPayload({ iss: issuer.toUpperCase() })),
  "iss in an array": attack((kit) => kit.withPayload({ iss: [issuer] })),
  "iss null": attack((kit) => kit.withPayload({ iss: null })),
  "no aud": attack((kit) => kit.withPayload({ aud: undefined })),
  "another aud": attack((kit) => kit.withPayload({ aud: "admin" })),
  "aud in an array": attack((kit) => kit.withPayload({ aud: ["parley"] })),
  "aud of both": attack((kit) => kit.withPayload({ aud: ["parley", "docs"] })),
  "aud of docs in a session": attack((kit) => kit.withPayload({ aud: "docs" })),
  "aud true": attack((kit) => kit.withPayload({ aud: true })),

  "expired a second ago": attack((kit) => kit.withPayload({ exp: kit.nowSeconds - 1 }), { expired: true }),
  "expired this second": attack((kit) => kit.withPayload({ exp: kit.nowSeconds }), { expired: true }),
  "expired at the epoch": attack((kit) => kit.withPayload({ exp: 0 }), { expired: true }),
  "expired, signed by the attacker": attack((kit) =>
    kit.forge(kit.header, { ...kit.payload, exp: kit.nowSeconds - 1 }, kit.theirs)
  ),
  "expired, and for another use": attack((kit) => kit.withPayload({ exp: kit.nowSeconds - 1 }), { uses: ["docs"] }),
  "expired, and issued in the future": attack((kit) =>
    kit.withPayload({ exp: kit.nowSeconds - 1, iat: kit.nowSeconds + 3600 })
  ),
  "no exp": attack((kit) => kit.withPayload({ exp: undefined })),
  "exp null": attack((kit) => kit.withPayload({ exp: null })),
  "exp a text": attack((kit) => kit.withPayload({ exp: String(kit.nowSeconds + 900) })),
  "exp negative": attack((kit) => kit.withPayload({ exp: -1 })),
  "exp a fraction": attack((kit) => kit.withPayload({ exp: kit.nowSeconds + 0.5 })),
  "exp beyond every safe number": attack((kit) => kit.withPayload({ exp: Number.MAX_SAFE_INTEGER + 1 })),
  "exp a second beyond the last date": attack((kit) => kit.withPayload({ exp: 8_640_000_000_001 })),
  "exp infinite": attack((kit) =>
    kit.forge(kit.header, JSON.stringify(kit.payload).replace(/"exp":\d+/, '"exp":1e999'))
  ),
  "exp in an array": attack((kit) => kit.withPayload({ exp: [kit.nowSeconds + 900] })),
  "nbf in a second": attack((kit) => kit.withPayload({ nbf: kit.nowSeconds + 1 })),
  "nbf in an hour": attack((kit) => kit.withPayload({ nbf: kit.nowSeconds + 3600 })),
  "nbf a text": attack((kit) => kit.withPayload({ nbf: "0" })),
  "no iat": attack((kit) => kit.withPayload({ iat: undefined })),
  "iat 61 seconds ahead": attack((kit) => kit.withPayload({ iat: kit.nowSeconds + 61 })),
  "iat far ahead": attack((kit) => kit.withPayload({ iat: kit.nowSeconds + 86_400 })),
  "iat a text": attack((kit) => kit.withPayload({ iat: String(kit.nowSeconds) })),

  "sub twice": attack((kit) =>
    kit.forge(
      kit.header,
      JSON.stringify(kit.payload).replace('"sub"', '"sub":"0195b1a0-0000-7000-8000-0000000000ff","sub"')
    )
  ),
  "exp twice": attack((kit) => kit.forge(kit.header, JSON.stringify(kit.payload).replace('"exp"', '"exp":1,"exp"'))),
  "sub twice, one of them escaped": attack((kit) =>
    kit.forge(kit.header, JSON.stringify(kit.payload).replace('"sub"', '"s\\u0075b":"x","sub"'))
  ),
  "alg twice": attack((kit) =>
    kit.forge(JSON.stringify(kit.header).replace('"alg"', '"alg":"none","alg"'), kit.payload)
  ),
  "kid twice": attack((kit) => kit.forge(JSON.stringify(kit.header).replace('"kid"', '"kid":"x","kid"'), kit.payload)),
  "spaces in the JSON": attack((kit) => kit.forge(kit.header, JSON.stringify(kit.payload, null, 1))),
  "no sub": attack((kit) => kit.withPayload({ sub: undefined })),
  "sub not an id": attack((kit) => kit.withPayload({ sub: "admin" })),
  "sub in upper case": attack((kit) => kit.withPayload({ sub: kit.payload.sub.toUpperCase() })),
  "sub in an array": attack((kit) => kit.withPayload({ sub: [kit.payload.sub] })),
  "sub with a NUL": attack((kit) => kit.withPayload({ sub: `${kit.payload.sub}\u0000` })),
  "neither sid nor org": attack((kit) => kit.withPayload({ sid: undefined })),
  "sid and org": attack((kit) => kit.withPayload({ org: kit.payload.sub })),
  "sid null": attack((kit) => kit.withPayload({ sid: null })),
  "sid an object": attack((kit) => kit.withPayload({ sid: { $ne: null } })),
  "no jti": attack((kit) => kit.withPayload({ jti: undefined })),
  "jti a number": attack((kit) => kit.withPayload({ jti: 1 })),
  "claims of the prototype": attack((kit) => kit.forge(kit.header, `{"__proto__":${JSON.stringify(kit.payload)}}`)),
  "a list for a payload": attack((kit) => kit.forge(kit.header, [kit.payload])),
  "null for a payload": attack((kit) => kit.forge(kit.header, "null")),
  "a text for a payload": attack((kit) => kit.forge(kit.header, JSON.stringify(JSON.stringify(kit.payload)))),
  "no JSON for a payload": attack((kit) => kit.forge(kit.header, "sub=admin")),
  "an empty payload": attack((kit) => kit.forge(kit.header, "")),
  "a list for a header": attack((kit) => kit.forge([kit.header], kit.payload)),
  "null for a header": attack((kit) => kit.forge("null", kit.payload)),
  "a payload that is not UTF-8": attack((kit) => {
    const bytes = Buffer.from(JSON.stringify({ ...kit.payload, note: "?" }))
    bytes[bytes.lastIndexOf("?")] = 0xff
    const input = `${encode(kit.header)}.${bytes.toString("base64url")}`
    return withSignature(`${input}.`, signEd25519(input, kit.ours))
  }),

  "5 KiB": attack((kit) => kit.withPayload({ note: "x".repeat(5 * 1024) })),
  "a megabyte": attack((kit) => kit.withPayload({ note: "x".repeat(1_048_576) })),
  "a megabyte of dots": attack(() => ".".repeat(1_048_576)),
  "JSON as deep as it fits": attack((kit) => kit.forge(kit.header, `${'{"a":'.repeat(400)}1${"}".repeat(400)}`)),
  "lists as deep as they fit": attack((kit) => kit.forge(kit.header, `${"[".repeat(1300)}${"]".repeat(1300)}`)),

  nothing: attack(() => ""),
  "two dots": attack(() => ".."),
  "a word": attack(() => "token"),
  "one part": attack((kit) => partsOf(kit.tokens.session).head),
  "two parts": attack((kit) => partsOf(kit.tokens.session).input),
  "four parts": attack((kit) => `${kit.tokens.session}.AAAA`),
  "an empty fourth part": attack((kit) => `${kit.tokens.session}.`),
  "an encrypted token's five parts": attack((kit) => `${kit.tokens.session}.AAAA.AAAA`),
  "a dot in front": attack((kit) => `.${kit.tokens.session}`),
  "the JSON form": attack((kit) => {
    const { body, head, signature } = partsOf(kit.tokens.session)
    return JSON.stringify({ payload: body, protected: head, signature })
  }),
  "the scheme in front": attack((kit) => `Bearer ${kit.tokens.session}`),
  "a space in front": attack((kit) => ` ${kit.tokens.session}`),
  "a space at the end": attack((kit) => `${kit.tokens.session} `),
  "a line break at the end": attack((kit) => `${kit.tokens.session}\n`),
  "a NUL at the end": attack((kit) => `${kit.tokens.session}\u0000`),
  "a NUL in the midst": attack((kit) => kit.tokens.session.replace(".", ".\u0000")),
  "a byte order mark": attack((kit) => `\ufeff${kit.tokens.session}`),
  "a zero-width space": attack((kit) => kit.tokens.session.replace(".", "\u200b.")),
  "full-width dots": attack((kit) => kit.tokens.session.replaceAll(".", "\uff0e")),
  "a Cyrillic letter for a Latin one": attack((kit) => kit.tokens.session.replace("e", "\u0435")),
  "half a surrogate pair": attack((kit) => `${kit.tokens.session.slice(0, -1)}\ud83e`),
  "percent-encoding": attack((kit) => kit.tokens.session.replaceAll(".", "%2E")),

  "the header cut": attack((kit) => kit.tokens.session.slice(1)),
  "the header edited": attack((kit) => {
    const { body, head, signature } = partsOf(kit.tokens.session)
    return `${flipped(head, 12)}.${body}.${signature}`
  }),
  "the payload cut": attack((kit) => {
    const { body, head, signature } = partsOf(kit.tokens.session)
    return `${head}.${body.slice(0, -2)}.${signature}`
  }),
  "the payload edited": attack((kit) => {
    const { body, head, signature } = partsOf(kit.tokens.session)
    const payload = JSON.parse(Buffer.from(body, "base64url").toString())
    return `${head}.${encode({ ...payload, exp: payload.exp + 1 })}.${signature}`
  }),
  "the user swapped": attack((kit) => {
    const { body, head, signature } = partsOf(kit.tokens.session)
    const payload = JSON.parse(Buffer.from(body, "base64url").toString())
    return `${head}.${encode({ ...payload, sub: "0195b1a0-0000-7000-8000-0000000000ff" })}.${signature}`
  }),
  "the payload of another token": attack((kit) => {
    const { head, signature } = partsOf(kit.tokens.session)
    return `${head}.${partsOf(kit.tokens.automation).body}.${signature}`
  }),
  "the header of another token": attack((kit) => {
    const { body, signature } = partsOf(kit.tokens.session)
    return `${partsOf(kit.tokens.docs).head}.${body}.${signature}`
  }),

  padding: attack((kit) => `${kit.tokens.session}==`),
  "spare bits in the signature": attack((kit) => withSpareBits(kit.tokens.session)),
  "spare bits in the payload, signed so": attack((kit) => {
    const body = encode({ ...kit.payload, note: "x".repeat(3) })
    const input = `${encode(kit.header)}.${withSpareBits(body)}`
    return withSignature(`${input}.`, signEd25519(input, kit.ours))
  }),
  "padding in the payload, signed so": attack((kit) => {
    const input = `${encode(kit.header)}.${encode(kit.payload)}==`
    return withSignature(`${input}.`, signEd25519(input, kit.ours))
  }),
  "the alphabet of base64": attack((kit) => {
    const input = `${encode(kit.header)}.${encode({ ...kit.payload, note: "???>>>" })
      .replaceAll("-", "+")
      .replaceAll("_", "/")}`
    return withSignature(`${input}.`, signEd25519(input, kit.ours))
  }),

  "a jwk of the attacker": attack((kit) => kit.withHeader({ jwk: attackerJwk(kit) }, kit.theirs)),
  "a jwk of the attacker, with a good signature": attack((kit) => kit.withHeader({ jwk: attackerJwk(kit) })),
  "a jwk of the attacker and no kid": attack((kit) =>
    kit.withHeader({ jwk: attackerJwk(kit), kid: undefined }, kit.theirs)
  ),
  "a jku of the attacker": attack((kit) => kit.withHeader({ jku: "https://attacker.test/jwks.json" }, kit.theirs)),
  "a jku, with a good signature": attack((kit) => kit.withHeader({ jku: "https://attacker.test/jwks.json" })),
  "an x5u of the attacker": attack((kit) => kit.withHeader({ x5u: "https://attacker.test/cert.pem" }, kit.theirs)),
  "an x5c of the attacker": attack((kit) => kit.withHeader({ x5c: ["MIIB"] }, kit.theirs)),
  "crit of an unknown extension": attack((kit) => kit.withHeader({ crit: ["x"], x: true })),
  "crit of exp": attack((kit) => kit.withHeader({ crit: ["exp"], exp: 1 })),
  "an empty crit": attack((kit) => kit.withHeader({ crit: [] })),
  "b64 false": attack((kit) => kit.withHeader({ b64: false, crit: ["b64"] })),
  zip: attack((kit) => kit.withHeader({ zip: "DEF" })),
  "cty JWT": attack((kit) => kit.withHeader({ cty: "JWT" })),
  "a header more": attack((kit) => kit.withHeader({ ALG: "none" })),

  "the signature stripped": attack((kit) => withSignature(kit.tokens.session, "")),
  "the signature zeroed": attack((kit) => withSignature(kit.tokens.session, Buffer.alloc(64))),
  "the signature all ones": attack((kit) => withSignature(kit.tokens.session, Buffer.alloc(64, 0xff))),
  "the signature of the identity": attack((kit) =>
    withSignature(kit.tokens.session, Buffer.concat([Buffer.of(1), Buffer.alloc(63)]))
  ),
  "the signature malleated by the order": attack((kit) => malleated(kit.tokens.session)),
  "the signature edited in R": attack((kit) =>
    withSignature(kit.tokens.session, flipped(partsOf(kit.tokens.session).signature, 3))
  ),
  "the signature edited in S": attack((kit) =>
    withSignature(kit.tokens.session, flipped(partsOf(kit.tokens.session).signature, 40))
  ),
  "the signature a byte short": attack((kit) =>
    withSignature(kit.tokens.session, Buffer.from(partsOf(kit.tokens.session).signature, "base64url").subarray(0, 63))
  ),
  "the signature a byte long": attack((kit) =>
    withSignature(kit.tokens.session, Buffer.from(`${partsOf(kit.tokens.session).signature}AA`, "base64url"))
  ),
  "the signature twice": attack((kit) => kit.tokens.session + partsOf(kit.tokens.session).signature),
  "the signature of another token": attack((kit) =>
    withSignature(kit.tokens.session, partsOf(kit.tokens.automation).signature)
  ),
  "the signature in hexadecimal": attack((kit) =>
    withSignature(
      kit.tokens.session,
      Buffer.from(Buffer.from(partsOf(kit.tokens.session).signature, "base64url").toString("hex")).toString("base64url")
    )
  ),

  "a docs token used as a session": attack((kit) => kit.tokens.docs, { uses: ["session", "automation"] }),
  "a session token used for docs": attack((kit) => kit.tokens.session, { uses: ["docs"] }),
  "an automation token used as a session": attack((kit) => kit.tokens.automation, { uses: ["session"] }),
  "an automation token used for docs": attack((kit) => kit.tokens.automation, { uses: ["docs"] }),
  "a session token where nothing is allowed": attack((kit) => kit.tokens.session, { uses: [] })
}

const store = makeKeyStore()

layer(layerOn(store))("A token signer", (it) => {
  it("is attacked in at least 60 ways", () => {
    assert.isAtLeast(Object.keys(attacks).length, 60)
  })

  it.effect.each(Object.entries(attacks))("refuses %s", ([, { expired, token, uses = everyUse }]) =>
    Effect.gen(function* () {
      const signer = yield* TokenSigner
      const forged = Redacted.make(token(yield* makeKit(store)))
      const wanted = expired === true ? "TokenExpired" : "TokenInvalid"
      assert.strictEqual((yield* Effect.flip(signer.verify(forged, uses)))._tag, wanted)
      assert.strictEqual((yield* Effect.flip(signer.verify(forged, uses)))._tag, wanted)
    })
  )

  it.effect.each([
    ["the kit's own forgery with nothing changed", (kit: Kit) => kit.withPayload({})],
    ["a claim that it does not know", (kit: Kit) => kit.withPayload({ note: "x" })],
    ["nbf in the past", (kit: Kit) => kit.withPayload({ nbf: kit.nowSeconds - 1 })],
    ["nbf this second", (kit: Kit) => kit.withPayload({ nbf: kit.nowSeconds })],
    ["iat a minute ahead", (kit: Kit) => kit.withPayload({ iat: kit.nowSeconds + 60 })],
    ["exp at the last date", (kit: Kit) => kit.withPayload({ exp: 8_640_000_000_000 })],
    ["exp in a second", (kit: Kit) => kit.withPayload({ exp: kit.nowSeconds + 1 })],
    [
      "claims in another order",
      (kit: Kit) =>
        kit.forge(
          { typ: "at+jwt", alg: "EdDSA", kid: kit.kid },
          Object.fromEntries(Object.entries(kit.payload).toReversed())
        )
    ],
    ["almost 4 KiB", (kit: Kit) => kit.withPayload({ note: "x".repeat(2600) })],
    ["its own session token", (kit: Kit) => kit.tokens.session],
    ["its own automation token", (kit: Kit) => kit.tokens.automation],
    ["its own docs token", (kit: Kit) => kit.tokens.docs]
  ] as const)("accepts, for control, %s", ([, token]) =>
    Effect.gen(function* () {
      const signer = yield* TokenSigner
      const good = Redacted.make(token(yield* makeKit(store)))
      const claims = yield* signer.verify(good, everyUse)
      assert.deepStrictEqual(yield* signer.verify(good, everyUse), claims)
    })
  )

  it.effect("accepts what another library signs with its key", () =>
    Effect.gen(function* () {
      const kit = yield* makeKit(store)
      const token = yield* Effect.promise(() => new SignJWT(kit.payload).setProtectedHeader(kit.header).sign(kit.ours))
      assert.strictEqual((yield* (yield* TokenSigner).verify(Redacted.make(token), ["session"])).use, "session")
    })
  )

  it.effect("refuses the tokens of another service that has the same name and master keys", () =>
    Effect.gen(function* () {
      const other = makeKeyStore()
      const foreign = yield* Effect.provide(makeKit(other), layerOn(other))
      const signer = yield* TokenSigner
      for (const token of Object.values(foreign.tokens)) {
        assert.instanceOf(yield* Effect.flip(signer.verify(Redacted.make(token), everyUse)), TokenInvalid)
      }
      const kit = yield* makeKit(store)
      const input = new TextEncoder().encode(JSON.stringify(kit.payload))
      const crossed = yield* Effect.promise(() =>
        new CompactSign(input).setProtectedHeader({ ...kit.header, kid: kit.kid }).sign(foreign.ours)
      )
      assert.instanceOf(yield* Effect.flip(signer.verify(Redacted.make(crossed), everyUse)), TokenInvalid)
    })
  )
})
