/** Purpose of a draw. The two draws of one contact are independent. */
export type SplitPurpose = "holdout" | "variant"

/** Number of buckets; each one is a hundredth of a percent. */
export const bucketCount = 10_000

const hashBytes = 6

/** Input of SHA-256, in UTF-8, for the bucket of a contact. A split key has no line breaks. */
export const splitHashInput = (splitKey: string, purpose: SplitPurpose, contactId: string): string =>
  `${splitKey}\n${purpose}\n${contactId}`

/**
 * Returns the bucket of a digest: its first 6 bytes as a big-endian number, modulo 10,000. The other bytes are ignored. In PostgreSQL: `('x' ||
 * substr(encode(digest, 'hex'), 1, 12))::bit(48)::bigint % 10000`.
 */
export const bucketOf = (digest: Uint8Array): number =>
  digest.subarray(0, hashBytes).reduce((number, byte) => number * 256 + byte, 0) % bucketCount

/**
 * Whether a bucket is held out at this percentage, in hundredths. With the same split key, a larger hold-out includes all contacts of a smaller one.
 */
export const isHeldOut = (bucket: number, percent: number): boolean =>
  bucket < Math.round((percent * bucketCount) / 100)

interface Weighted {
  /** Percent; the weights of all variants add up to 100. */
  readonly weight: number
}

/** Returns the variant of a bucket. Each variant has a range as long as its weight, in list order. `null` without variants. */
export const variantOf = <Variant extends Weighted>(
  bucket: number,
  variants: ReadonlyArray<Variant>
): Variant | null => {
  let end = 0
  for (const variant of variants) {
    end += (variant.weight * bucketCount) / 100
    if (bucket < end) return variant
  }
  return variants.at(-1) ?? null
}
