export type { ShopifyApp, ShopifyOptions } from "./settings.ts"
export * from "./Shopify.ts"
