import { useCase } from "../../kernel/index.ts"
import { expandedContactPage } from "../expandedContactPage.ts"

/** Reads contacts. Those whom a search finds as it was typed come first, and then those whom it finds with typing errors corrected. */
export const listContacts = useCase("contacts.list", { access: { permission: "contacts.read" } }, expandedContactPage)
