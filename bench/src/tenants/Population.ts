/** One signed-in user with readable automations, from place `first` on. */
export interface Caller {
  readonly organizationId: string
  readonly accessToken: string
  readonly first: number
  readonly count: number
}

/** Contents of the database. */
export interface Population {
  readonly callers: ReadonlyArray<Caller>
  readonly users: ReadonlyArray<{ readonly email: string; readonly password: string }>
  readonly organizations: number
  readonly automationsEach: number
}
