import { recording } from '../src/events/event.ts'
import '../src/main.ts'

// The service has only begun to start: nothing was told yet.
recording.on = false
