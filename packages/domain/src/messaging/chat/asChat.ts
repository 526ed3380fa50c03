import { asSystem } from "../../kernel/index.ts"

/** In this organization, in the name of the provider's side. */
export const asChat = asSystem("chat")
