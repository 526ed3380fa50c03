/** What contacts are split for. The two draws of one contact do not depend on each other. */
export type SplitPurpose = "holdout" | "variant"

/** How many buckets there are: each is a hundredth of a percent. */
export const bucketCount = 10_000

const hashBytes = 6

/** What is digested with SHA-256, in UTF-8, to draw the bucket of a contact. A split key has no line breaks. */
export const splitHashInput = (splitKey: string, purpose: SplitPurpose, contactId: string): string =>
  `${splitKey}\n${purpose}\n${contactId}`

/**
 * The bucket of a digest: its first 6 bytes as a number, the first one the highest, modulo 10,000. All other bytes are ignored.
 * In PostgreSQL that is `('x' || substr(encode(digest, 'hex'), 1, 12))::bit(48)::bigint % 10000`.
 */
export const bucketOf = (digest: Uint8Array): number =>
  digest.subarray(0, hashBytes).reduce((number, byte) => number * 256 + byte, 0) % bucketCount

/**
 * Whether the contact with this bucket is held out, of so many percent in hundredths. Whoever is held out of a smaller part is held
 * out of a larger one with the same split key too.
 */
export const isHeldOut = (bucket: number, percent: number): boolean =>
  bucket < Math.round((percent * bucketCount) / 100)

interface Weighted {
  /** In percent; the weights of all variants are 100 together. */
  readonly weight: number
}

/**
 * The variant of the contact with this bucket: each has a range of buckets as long as its weight, in the order of the list. `null` if
 * there are no variants.
 */
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
