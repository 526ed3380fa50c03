/** What deliveries of chat providers are stored under. */
export const chatSource = "chat"
