/** What contacts are split for. The two draws of one contact do not depend on each other. */
export type SplitPurpose = "holdout" | "variant"

/** How many buckets there are: each is a hundredth of a percent. */
export const bucketCount = 10_000

const bytesOfNumber = 6

/** What is digested with SHA-256, in UTF-8, to draw the bucket of a contact. A split key has no line breaks. */
export const splitText = (splitKey: string, purpose: SplitPurpose, contactId: string): string =>
  `${splitKey}\n${purpose}\n${contactId}`

/**
 * The bucket of a digest: its first 6 bytes as a number, the first one the highest, modulo 10,000. All other bytes are ignored.
 * In PostgreSQL that is `('x' || substr(encode(digest, 'hex'), 1, 12))::bit(48)::bigint % 10000`.
 */
export const bucketOf = (digest: Uint8Array): number =>
  digest.subarray(0, bytesOfNumber).reduce((number, byte) => number * 256 + byte, 0) % bucketCount
