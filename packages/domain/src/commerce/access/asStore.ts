import { asSystem } from "../../kernel/index.ts"

/** In this organization, in the name of the store's side. */
export const asStore = asSystem("stores")
