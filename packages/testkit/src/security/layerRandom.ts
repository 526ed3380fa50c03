import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash, randomBytes } from "node:crypto"

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

/** Bytes that come from the seed: what two services make of the same requests is the same then, ids and secrets included. */
export const layerSeeded = (seed: string) =>
  Layer.sync(SecureRandom.SecureRandom, () => {
    let drawn = 0
    return SecureRandom.SecureRandom.of(
      SecureRandom.make((size) => {
        drawn += 1
        return new Uint8Array(createHash("shake256", { outputLength: size }).update(`${seed} ${drawn}`).digest())
      })
    )
  })
