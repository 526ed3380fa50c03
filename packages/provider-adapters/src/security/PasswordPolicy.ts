import { passwordLength, PasswordPolicy } from "@parley/domain/platform"
import { Effect, Layer } from "effect"
import { promisify } from "node:util"
import { brotliDecompress } from "node:zlib"

const decompress = promisify(brotliDecompress)

/** The list as sorted lines. The process loads it at the first password check. */
const load = async (): Promise<Buffer> => {
  const { commonPasswordList } = await import("./commonPasswordList.ts")
  return await decompress(Buffer.from(commonPasswordList.brotli, "base64"))
}

const lineFeed = 10

/** Binary search in sorted lines. */
const hasLine = (lines: Buffer, word: string): boolean => {
  const wanted = Buffer.from(`${word}\n`)
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    const start = middle === 0 ? 0 : lines.lastIndexOf(lineFeed, middle - 1) + 1
    const end = lines.indexOf(lineFeed, middle) + 1
    const order = wanted.compare(lines, start, end)
    if (order === 0) return true
    if (order < 0) high = start
    else low = end
  }
  return false
}

/** Rules for new passwords. `minLength` is in code points, 8 to 64. */
export interface PasswordPolicyOptions {
  readonly minLength?: number
}

export const layer = ({ minLength = passwordLength.min }: PasswordPolicyOptions = {}): Layer.Layer<PasswordPolicy> =>
  Layer.sync(PasswordPolicy, () => {
    let loading: Promise<Buffer> | null = null
    const lines = Effect.promise(() => (loading ??= load()))
    return PasswordPolicy.of({
      minLength,
      hasCommon: (passwords) => Effect.map(lines, (list) => passwords.some((password) => hasLine(list, password)))
    })
  })
