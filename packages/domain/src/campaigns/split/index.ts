export * from "./bucketOf.ts"
export * from "./isHeldOut.ts"
export * from "./variantOf.ts"
