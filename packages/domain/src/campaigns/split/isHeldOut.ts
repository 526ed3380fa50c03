import { bucketCount } from "./bucketOf.ts"

/**
 * Whether the contact with this bucket is held out, of so many percent in hundredths. Whoever is held out of a smaller part is held
 * out of a larger one with the same split key too.
 */
export const isHeldOut = (bucket: number, percent: number): boolean =>
  bucket < Math.round((percent * bucketCount) / 100)
