export { layer, make } from "./Shopify.ts"
export type { ShopifyApp, ShopifyOptions } from "./settings.ts"
