/** The path under which providers deliver what happens in stores. */
export const storeWebhookPath = (provider: string) => `/webhooks/storefront/${provider}`
