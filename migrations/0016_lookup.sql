-- expand: the applications of a customer are found without reading all applications

create index application_of_customer on application (customer_id) where customer_id is not null;
