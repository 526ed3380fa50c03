import { randomFillSync } from "node:crypto"

const poolSize = 4_096

/** Random bytes from the operating system, drawn for many callers at once; what is given out is wiped from the pool. */
export const makePooledBytes = (): ((size: number) => Uint8Array) => {
  const pool = new Uint8Array(poolSize)
  let spent = pool.length

  return (size) => {
    if (size > pool.length) return randomFillSync(new Uint8Array(size))
    if (spent + size > pool.length) {
      randomFillSync(pool)
      spent = 0
    }
    const bytes = pool.slice(spent, spent + size)
    pool.fill(0, spent, spent + size)
    spent += size
    return bytes
  }
}
