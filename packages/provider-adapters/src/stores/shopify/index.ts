export { type ApiVersion, apiVersions, defaultApiVersion } from "./assumptions.ts"
export type { ShopifyApp, ShopifyOptions } from "./settings.ts"
export * from "./Shopify.ts"
