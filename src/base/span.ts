import {
  context,
  type ProxyTracerProvider,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

const NAME = 'purser'
const tracer = trace.getTracer(NAME)

/** Whether an OpenTelemetry SDK is installed. It registers itself before the service starts. */
export function isTraced(): boolean {
  const provider = trace.getTracerProvider() as Partial<ProxyTracerProvider>
  return provider.getDelegateTracer === undefined || provider.getDelegateTracer(NAME) !== undefined
}

interface InSpanOptions extends SpanOptions {
  /** The parent span; the current one by default. */
  parent?: ReturnType<typeof context.active>
  /** Whether a thrown error marks the span as failed; by default every error does. */
  isFailure?: (error: unknown) => boolean
}

/** Runs work in a span, the parent of spans that are opened meanwhile. Nearly free without an SDK. */
export function inSpan<T>(
  name: string,
  { parent = context.active(), isFailure = () => true, ...options }: InSpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span)
    } catch (error) {
      if (isFailure(error)) {
        span.recordException(error as Error)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      throw error
    } finally {
      span.end()
    }
  })
}
