import { Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { createHash, randomBytes } from "node:crypto"

const poolSize = 4_096

/** Draws random bytes for a batch of ids, because one system call per id costs more than the rest of the id. */
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

/** Draws bytes from the seed. Two services then return equal results for equal requests, including ids and secrets. */
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
