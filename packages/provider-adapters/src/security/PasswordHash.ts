/** What a hash costs: KiB of memory, passes over it, and lanes. */
export interface HashCost {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
}

/** An argon2id hash, taken apart. */
export interface PasswordHash {
  readonly cost: HashCost
  readonly salt: Uint8Array
  readonly tag: Uint8Array
}

export const saltBytes = 16
export const tagBytes = 32

const pattern =
  /^\$argon2id\$v=19\$m=([1-9][0-9]{0,5}),t=([1-9][0-9]?),p=([1-9][0-9]?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

// What a stored text asks for must not bring the service down.
const isAffordable = ({ memory, parallelism, passes }: HashCost) =>
  memory >= 8 * parallelism && memory <= 262_144 && passes <= 16 && parallelism <= 16

const toBase64 = (bytes: Uint8Array) => Buffer.from(bytes).toString("base64").replace(/=+$/, "")

/** Writes the hash as a PHC string. */
export const formatPasswordHash = ({ cost, salt, tag }: PasswordHash) =>
  `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${toBase64(salt)}$${toBase64(tag)}`

/** Reads a PHC string; `null` when it is none, or asks for more than a login may cost. */
export const parsePasswordHash = (text: string): PasswordHash | null => {
  const [, memory, passes, parallelism, salt = "", tag = ""] = pattern.exec(text) ?? []
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  return isAffordable(cost) ? { cost, salt: Buffer.from(salt, "base64"), tag: Buffer.from(tag, "base64") } : null
}

/** Whether the hash is as it would be made with this cost. */
export const isMadeWith = ({ cost, salt, tag }: PasswordHash, today: HashCost) =>
  cost.memory === today.memory &&
  cost.passes === today.passes &&
  cost.parallelism === today.parallelism &&
  salt.length === saltBytes &&
  tag.length === tagBytes
