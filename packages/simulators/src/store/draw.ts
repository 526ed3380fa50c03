/** Draws the same number from 0 to 1 for the same key, so a generated shop needs no storage. */
export type Draw = (...key: ReadonlyArray<number>) => number

const mixed = (hash: number, value: number): number => {
  let next = Math.imul(hash ^ value, 0x85_eb_ca_6b)
  next ^= next >>> 13
  next = Math.imul(next, 0xc2_b2_ae_35)
  return next ^ (next >>> 16)
}

const hashOf = (text: string): number =>
  Array.from(text).reduce((hash, letter) => mixed(hash, letter.codePointAt(0) ?? 0), 7)

/** Values drawn from a seed. */
export const drawing = (seed: string): Draw => {
  const start = hashOf(seed)
  return (...key) => {
    let hash = start
    for (const part of key) hash = mixed(mixed(hash, part | 0), Math.floor(part / 4_294_967_296))
    return (mixed(hash, 0x9e_37_79_b9) >>> 0) / 4_294_967_296
  }
}
