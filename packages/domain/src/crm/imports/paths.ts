import type { ContactImportId } from "./ContactImport.ts"

/** Where an import is read. */
export const pathOfImport = (id: ContactImportId) => `/api/v1/contacts/imports/${id}`

/** Where the bad rows of an import are read. */
export const pathOfFaults = (id: ContactImportId) => `${pathOfImport(id)}/errors`
