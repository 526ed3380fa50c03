/** What deliveries of stores are stored under. */
export const storeSource = "stores"
