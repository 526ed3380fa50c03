import { bucketCount } from "./bucketOf.ts"

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
