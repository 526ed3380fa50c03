/** Conditions and rendered actions can contain facts of these areas. One value can combine all of them. */
export const factPermissions = ["contacts.read", "conversations.read", "commerce.read"] as const
