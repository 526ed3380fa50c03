import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { randomBytes } from "node:crypto"

const poolSize = 4_096

/** Random bytes that are drawn for many ids at once: to ask the operating system for each takes longer than all else of an id. */
export const layerRandom = Layer.sync(SecureRandom.SecureRandom, () => {
  let pool = randomBytes(poolSize)
  let spent = 0
  return SecureRandom.SecureRandom.of(
    SecureRandom.make((size) => {
      if (size > poolSize) return new Uint8Array(randomBytes(size))
      if (spent + size > poolSize) {
        pool = randomBytes(poolSize)
        spent = 0
      }
      const bytes = new Uint8Array(pool.subarray(spent, spent + size))
      spent += size
      return bytes
    })
  )
})
