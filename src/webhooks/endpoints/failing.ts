/** The rule of a failing endpoint: its latest attempt was not accepted, or it is disabled for that. */
export const isFailing = `(failing_since is not null and status = 'Enabled' or coalesce(disabled_reason in ('Failing', 'Gone'), false))`
