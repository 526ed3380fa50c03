/** One signed-in user, and the automations that are there to be read: those from place `first` on. */
export interface Caller {
  readonly organizationId: string
  readonly accessToken: string
  readonly first: number
  readonly count: number
}

/** Who and what is in the database. */
export interface Population {
  readonly callers: ReadonlyArray<Caller>
  readonly users: ReadonlyArray<{ readonly email: string; readonly password: string }>
  readonly organizations: number
  readonly automationsEach: number
}
