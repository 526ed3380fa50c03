/** For how long deliveries may still be signed with the secret before this one. */
export const formerSecretFor = { days: 1 }
