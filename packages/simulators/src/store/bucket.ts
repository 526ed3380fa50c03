import type { Shop } from "./World.ts"

/** Returns the remaining query cost of an app in a shop. */
export const leftIn = ({ bucket }: Shop, now: number): number => {
  const passed = Math.max(0, now - bucket.at) / 1_000
  bucket.left = Math.min(bucket.most, bucket.left + passed * bucket.perSecond)
  bucket.at = Math.max(bucket.at, now)
  return bucket.left
}

/** Returns the throttle status that every response includes. */
export const throttleStatusOf = (shop: Shop, now: number) => ({
  maximumAvailable: shop.bucket.most,
  currentlyAvailable: Math.floor(leftIn(shop, now)),
  restoreRate: shop.bucket.perSecond
})
